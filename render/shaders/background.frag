in vec2 place;
out vec4 outColour;

void main() {
  vec4 onRay = renderFromClip * vec4(place, 1.0, 1.0);
  vec3 light = backgroundToward(normalize(onRay.xyz / onRay.w - eye.xyz));
  outColour = passOutput(light);
}
