// Lit without shadows: an arrow is a sign, whose colour must be known in any place.
in vec3 at;
in vec3 outward;
in vec3 arrowColour;

uniform float strength;

out vec4 outColour;

void main() {
  vec3 normal = normalize(outward);
  vec3 towardEye = normalize(eye.xyz - at);
  // Light that bends around the edge half of the way, and is never less than a third.
  float lit = 0.35 + 0.65 * (0.5 + 0.5 * dot(normal, towardLamp.xyz));
  float shine = pow(clamp(dot(normal, normalize(towardLamp.xyz + towardEye)), 0.0, 1.0), 40.0);
  outColour = passOutput(arrowColour * lit + 0.18 * shine);
  outColour.a = strength;
}
