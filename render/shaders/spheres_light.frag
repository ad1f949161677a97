// Light of the spheres that are nearest, and their depth into that of everything else.
in vec2 place;

uniform sampler2D surfaceColour;
uniform sampler2D surfaceNormal;
uniform sampler2D surfaceDepth;

out vec4 outColour;

void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  float depth = texelFetch(surfaceDepth, pixel, 0).r;
  if (depth >= 1.0) discard;
  gl_FragDepth = depth;
  vec4 at = renderFromClip * vec4(place, 2.0 * depth - 1.0, 1.0);
  vec3 position = at.xyz / at.w;
  vec4 normal = texelFetch(surfaceNormal, pixel, 0);
  outColour = passOutput(lightFrom(position, normalize(normal.xyz), normalize(eye.xyz - position),
                                   texelFetch(surfaceColour, pixel, 0).rgb, normal.w));
}
