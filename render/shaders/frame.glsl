// What all shaders of a frame share. "Render" coordinates are the world's, moved so that the
// camera's target is zero: near it a float keeps its precision wherever in the world that is.
#version 330 core

layout(std140) uniform Frame {
  mat4 clipFromRender;
  mat4 renderFromClip;
  mat4 lampFromRender;  // to shadow texture and depth, all 0 to 1
  mat4 skyFromRender;   // the same for this pass's point of the sky
  vec4 eye;
  vec4 towardLamp;      // unit; w: 1 if there are shadows
  vec4 lampColour;
  vec4 towardSky;       // unit; w: in one pass, how much of the sky's light its shadow takes away
  vec4 skyColour;
  vec4 bounceColour;    // w: height up to which the floor darkens what hangs over it
  vec4 horizonColour;
  vec4 zenithColour;
  vec4 floorColour;     // w: height
  vec4 lineColour;      // w: spacing of the fine lines
  vec4 floorPlace;      // xy: grid's origin, zw: centre of the fade; x and z of the world
  vec4 floorFade;       // x: begin, y: end of the fade
  vec4 floorShadowed;   // part of the floor that shadows may reach: least x, z, greatest x, z
  vec4 openLight;       // what reaches the floor where no shadow does
  vec4 texel;           // x: lamp's, y: sky's shadow texel [m]; z, w: the same as share of the map
  vec4 blur;            // x: lamp's, y: sky's filter radius [texels]
  vec4 picture;         // x, y: size in pixels; z: a pixel as share of the distance from the eye
};

vec3 backgroundToward(vec3 direction) {
  return mix(horizonColour.rgb, zenithColour.rgb, smoothstep(0.0, 0.8, direction.y));
}
