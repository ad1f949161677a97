// Light that reaches a point: a lamp with a shadow, the sky with a shadow, and the floor's bounce.

uniform sampler2DShadow lampDepth;
uniform sampler2DShadow skyDepth;

// Four comparisons on a turned square, each of which the card spreads over four texels. They are
// written out, because llvmpipe spends more on a loop over a table than on what is in it.
float unshadowed(sampler2DShadow depths, mat4 mapFromRender, vec3 point, float radius) {
  vec3 at = (mapFromRender * vec4(point, 1.0)).xyz;
  // What lies behind the last caster compares against the cleared map, whose depth is one.
  at.z = min(at.z, 1.0);
#ifdef PLAIN
  return texture(depths, at);
#endif
  return 0.25 * (texture(depths, vec3(at.xy + radius * vec2(0.38, 0.92), at.z)) +
                 texture(depths, vec3(at.xy + radius * vec2(-0.92, 0.38), at.z)) +
                 texture(depths, vec3(at.xy + radius * vec2(-0.38, -0.92), at.z)) +
                 texture(depths, vec3(at.xy + radius * vec2(0.92, -0.38), at.z)));
}

// The comparison happens a little outside of the surface, or it would shadow itself: as far as the
// filter reaches along a slope of 45 degrees.
float lampVisible(vec3 point, vec3 normal) {
  if (towardLamp.w == 0.0) return 1.0;
  vec3 outside = point + normal * texel.x * (1.0 + blur.x);
  return unshadowed(lampDepth, lampFromRender, outside, blur.x * texel.z);
}

float skyVisible(vec3 point, vec3 normal) {
#ifdef PLAIN
  return 1.0;
#endif
  if (towardLamp.w == 0.0) return 1.0;
  vec3 outside = point + normal * texel.y * (1.0 + blur.y);
  return unshadowed(skyDepth, skyFromRender, outside, blur.y * texel.w);
}

// Light of the whole sky, per unit of reflectance. In one pass a shadow straight from above stands
// in for the shadows from all sides, and takes only a share of the light away.
float skyAt(vec3 point, vec3 normal) {
#ifdef ONE_PASS
  float reach = 0.5 + 0.5 * normal.y;
  float occluded = towardSky.w;
#else
  float reach = 2.0 * max(dot(normal, towardSky.xyz), 0.0);
  float occluded = 1.0;
#endif
  return reach * (1.0 - occluded + occluded * skyVisible(point, normal));
}

// What comes back from the floor. Close above it that is little, because the object itself shades it.
vec3 bounceAt(vec3 point, vec3 normal) {
  float gap = clamp((point.y - floorColour.w) / bounceColour.w, 0.0, 1.0);
  return (0.5 - 0.5 * normal.y) * mix(0.35, 1.0, gap) * bounceColour.rgb;
}
