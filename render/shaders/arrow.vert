layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec3 colour;

out vec3 at;
out vec3 outward;
out vec3 arrowColour;

void main() {
  at = position;
  outward = normal;
  arrowColour = colour;
  gl_Position = clipFromRender * vec4(position, 1.0);
}
