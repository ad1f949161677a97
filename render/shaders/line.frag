in vec2 place;
flat in float reach;
flat in vec4 linePaint;

uniform float strength;

out vec4 outColour;

void main() {
  // Distance from the line, which gives it round ends.
  float away = length(vec2(place.x - clamp(place.x, 0.0, reach), place.y));
  float cover = clamp(0.5 * linePaint.w + 0.5 - away, 0.0, 1.0);
  if (cover <= 0.0) discard;
  outColour = passOutput(linePaint.rgb);
  outColour.a = strength * cover;
}
