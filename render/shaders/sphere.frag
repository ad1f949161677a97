// Only what the sphere is at a pixel. In a packing most of what is drawn is soon hidden by spheres
// that come later, so that light is left to a pass over what remains (spheres_light.frag).
flat in vec4 ball;
flat in vec3 ballColour;
in vec3 onSquare;

uniform float roughness;

layout(location = 0) out vec4 surfaceColour;
layout(location = 1) out vec4 surfaceNormal;  // w: roughness

void main() {
  vec3 ray = normalize(onSquare - eye.xyz);
  // From the point of the ray next to the centre, because far from the eye the root of the usual
  // quadratic equation would be a difference of two large numbers.
  vec3 fromCentre = onSquare - ball.xyz;
  vec3 nearest = fromCentre - dot(fromCentre, ray) * ray;
  float inside = ball.w * ball.w - dot(nearest, nearest);
  if (inside < 0.0) discard;
  vec3 outward = nearest - sqrt(inside) * ray;
  vec4 clip = clipFromRender * vec4(ball.xyz + outward, 1.0);
  gl_FragDepth = clamp(0.5 * clip.z / clip.w + 0.5, 0.0, 1.0);
  surfaceColour = vec4(ballColour, 1.0);
  surfaceNormal = vec4(outward / ball.w, roughness);
}
