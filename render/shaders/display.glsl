// From linear light to a display.

// Keeps colours as they are up to 0.76 and bends only highlights.
// Source: Khronos PBR Neutral tone mapper, 2024. Deviation: without its offset of 0.04 in the dark,
// so that a background looks like the colour that was asked for.
vec3 neutralTone(vec3 colour) {
  const float kStart = 0.76;
  const float kDesaturation = 0.15;
  float peak = max(colour.r, max(colour.g, colour.b));
  if (peak < kStart) return colour;
  float room = 1.0 - kStart;
  float newPeak = 1.0 - room * room / (peak + room - kStart);
  colour *= newPeak / peak;
  float white = 1.0 - 1.0 / (kDesaturation * (peak - newPeak) + 1.0);
  return mix(colour, vec3(newPeak), white);
}

// IEC 61966-2-1. In one pass by square roots (after Chilliant, 2012), which is within a third of a step
// of 1/255 and three times as fast in software.
vec3 srgbFromLinear(vec3 linear) {
#ifdef ONE_PASS
  vec3 second = sqrt(max(linear, vec3(0.0)));
  vec3 fourth = sqrt(second);
  vec3 eighth = sqrt(fourth);
  return 0.662002687 * second + 0.684122060 * fourth - 0.323583601 * eighth - 0.0225411470 * linear;
#else
  vec3 high = 1.055 * pow(max(linear, vec3(0.0)), vec3(1.0 / 2.4)) - 0.055;
  return mix(high, 12.92 * linear, lessThan(linear, vec3(0.0031308)));
#endif
}

vec3 displayFromLinear(vec3 linear) { return srgbFromLinear(neutralTone(linear)); }

// One pass goes to the display; of many the mean does, later.
vec4 passOutput(vec3 light) {
#ifdef ONE_PASS
  light = displayFromLinear(light);
#endif
  return vec4(light, 1.0);
}
