in vec3 position;
out vec4 outColour;

// Share of a pixel that lines of that width (as share of their spacing) cover. Lines never become
// thinner than a pixel; where they would, they get paler, and where a pixel holds several, even.
// Source: Golus, "The best darn grid shader (yet)", 2023.
float gridCover(vec2 place, float width) {
  vec2 perPixel = fwidth(place);
  vec2 drawn = clamp(vec2(width), perPixel, vec2(0.5));
  vec2 soft = 1.5 * max(perPixel, vec2(1e-6));
  vec2 away = abs(fract(place + 0.5) - 0.5) * 2.0;
  vec2 cover = 1.0 - smoothstep(drawn - soft, drawn + soft, away);
  cover *= clamp(vec2(width) / drawn, 0.0, 1.0);
  cover = mix(cover, vec2(width), clamp(perPixel * 2.0 - 1.0, 0.0, 1.0));
  return mix(cover.x, 1.0, cover.y);
}

#ifdef PLAIN
// One grid, which fades into the horizon.
void main() {
  float faded = smoothstep(floorFade.x, floorFade.y, length(position.xz - floorPlace.zw));
  vec2 place = (position.xz - floorPlace.xy) / lineColour.w;
  vec2 away = abs(fract(place + 0.5) - 0.5);
  vec2 perPixel = fwidth(place);
  vec2 cover = clamp(1.0 - away / max(perPixel, vec2(1e-6)), 0.0, 1.0) * clamp(0.6 - perPixel, 0.0, 1.0);
  vec3 colour = mix(floorColour.rgb, lineColour.rgb, max(cover.x, cover.y));
#ifdef SHADOWED
  vec3 up = vec3(0.0, 1.0, 0.0);
  vec3 reach = skyAt(position, up) * skyColour.rgb +
               max(towardLamp.y, 0.0) * lampVisible(position, up) * lampColour.rgb;
#else
  vec3 reach = openLight.rgb;
#endif
  outColour = passOutput(mix(colour * reach, horizonColour.rgb, faded));
}
#else
void main() {
  vec3 towardEye = normalize(eye.xyz - position);
  vec3 behind = backgroundToward(-towardEye);
  float faded = smoothstep(floorFade.x, floorFade.y, length(position.xz - floorPlace.zw));
  vec2 place = (position.xz - floorPlace.xy) / lineColour.w;
  float lines = max(0.45 * gridCover(place, 0.018), 0.8 * gridCover(place * 0.1, 0.005));
  vec3 colour = mix(floorColour.rgb, lineColour.rgb, lines);
#ifdef SHADOWED
  vec3 up = vec3(0.0, 1.0, 0.0);
  vec3 reach = skyAt(position, up) * skyColour.rgb +
               max(towardLamp.y, 0.0) * lampVisible(position, up) * lampColour.rgb;
#else
  vec3 reach = openLight.rgb;
#endif
  vec3 light = mix(colour * reach, behind, faded);
  outColour = passOutput(light);
}
#endif
