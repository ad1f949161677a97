// A square through the circle in which the cone from the eye touches the sphere: just as large as
// the sphere is seen. The ray through it is cut with the sphere in the fragment shader.
// Source: Sigg et al., "GPU-based ray-casting of quadratic surfaces", 2006; for spheres this is all.
layout(location = 0) in vec4 place;  // w: radius
layout(location = 1) in vec3 colour;

uniform mat4 renderFromCloud;

flat out vec4 ball;  // w: radius
flat out vec3 ballColour;
out vec3 onSquare;

void main() {
  ball = vec4((renderFromCloud * vec4(place.xyz, 1.0)).xyz, place.w);
  ballColour = colour;
  vec3 towardEye = eye.xyz - ball.xyz;
  float away = length(towardEye);
  vec3 axis = towardEye / max(away, 1e-30);
  vec3 right = normalize(cross(abs(axis.y) < 0.9 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0), axis));
  float sine = ball.w / max(away, 1e-30);
  // From within there is no such circle; the corners fall together and nothing is drawn.
  float side = ball.w * sqrt(max(1.0 - sine * sine, 0.0));
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
  onSquare = ball.xyz + axis * (ball.w * sine) +
             side * (corner.x * right + corner.y * cross(axis, right));
  gl_Position = clipFromRender * vec4(onSquare, 1.0);
}
