// In the parallel light of a shadow map a sphere is a disc. It lies through the centre, where no lit
// part of the sphere is behind it; so no sphere shades itself.
layout(location = 0) in vec4 place;  // w: radius

uniform mat4 renderFromCloud;
uniform mat4 mapFromRender;
uniform vec2 corner;  // angle between neighbours, and how far out they are, in radii

void main() {
  vec3 at = (mapFromRender * (renderFromCloud * vec4(place.xyz, 1.0))).xyz;
  float scale = length(vec3(mapFromRender[0].x, mapFromRender[1].x, mapFromRender[2].x));
  float turn = corner.x * float(gl_VertexID);
  at.xy += corner.y * place.w * scale * vec2(cos(turn), sin(turn));
  gl_Position = vec4(2.0 * at - 1.0, 1.0);
}
