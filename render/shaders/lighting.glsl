// Light that reaches a point: a lamp with a shadow, the sky with a shadow, and the floor's bounce.

uniform sampler2DShadow lampDepth;
uniform sampler2DShadow skyDepth;

// A Vogel spiral: any first n of its points fill a disc evenly.
const int kMostTaps = 12;
const vec2 kSpiral[kMostTaps] = vec2[](
  vec2(0.204, 0.000), vec2(-0.261, 0.239), vec2(0.040, -0.455), vec2(0.328, 0.429),
  vec2(-0.603, -0.107), vec2(0.572, -0.363), vec2(-0.190, 0.711), vec2(-0.364, -0.701),
  vec2(0.790, 0.287), vec2(-0.825, 0.335), vec2(0.390, -0.850), vec2(0.301, 0.932));

float unshadowed(sampler2DShadow depths, mat4 mapFromRender, vec3 point, float radius) {
  vec3 at = (mapFromRender * vec4(point, 1.0)).xyz;
  // What lies behind the last caster compares against the cleared map, whose depth is one.
  at.z = min(at.z, 1.0);
  int taps = int(blur.z);
  float sum = 0.0;
  for (int i = 0; i < taps; ++i) sum += texture(depths, vec3(at.xy + radius * kSpiral[i], at.z));
  return sum / float(taps);
}

// The comparison happens a little outside of the surface, or it would shadow itself: as far as the
// filter reaches along a slope of 45 degrees.
float lampVisible(vec3 point, vec3 normal) {
  if (towardLamp.w == 0.0) return 1.0;
  vec3 outside = point + normal * texel.x * (1.0 + blur.x);
  return unshadowed(lampDepth, lampFromRender, outside, blur.x * texel.z);
}

float skyVisible(vec3 point, vec3 normal) {
  if (towardLamp.w == 0.0) return 1.0;
  vec3 outside = point + normal * texel.y * (1.0 + blur.y);
  return unshadowed(skyDepth, skyFromRender, outside, blur.y * texel.w);
}

// Light from everywhere but the lamp, per unit of reflectance.
vec3 ambientAt(vec3 point, vec3 normal) {
  float everywhere = 0.5 + 0.5 * normal.y;
  float fromHere = 2.0 * max(dot(normal, towardSky.xyz), 0.0);
  float sky = mix(everywhere, fromHere, skyColour.w);
  if (sky > 0.0) sky *= mix(1.0, skyVisible(point, normal), towardSky.w);
  // Close above the floor little light comes back from it, because the object itself shades it.
  float gap = clamp((point.y - floorColour.w) / bounceColour.w, 0.0, 1.0);
  return sky * skyColour.rgb + (0.5 - 0.5 * normal.y) * mix(0.35, 1.0, gap) * bounceColour.rgb;
}
