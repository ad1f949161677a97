in vec2 at;

uniform sampler2D pixels;
uniform float opacity;

out vec4 outColour;

void main() {
  vec4 pixel = texture(pixels, at);
  if (pixel.a * opacity < 0.004) discard;
  outColour = passOutput(pixel.rgb);
  outColour.a = pixel.a * opacity;
}
