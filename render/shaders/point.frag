flat in vec3 dotColour;

out vec4 outColour;

void main() {
  vec2 away = 2.0 * gl_PointCoord - 1.0;
  float square = dot(away, away);
  if (square > 1.0) discard;
  // The darker rim keeps neighbours apart.
  outColour = passOutput(dotColour * (1.0 - 0.45 * square));
}
