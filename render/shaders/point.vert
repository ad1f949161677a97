layout(location = 0) in vec3 place;
layout(location = 1) in vec3 colour;

uniform mat4 renderFromCloud;
uniform float diameter;  // pixels

flat out vec3 dotColour;

void main() {
  vec3 position = (renderFromCloud * vec4(place, 1.0)).xyz;
  // Out of the surface on which it lies by half its own size, along the ray.
  position = mix(position, eye.xyz, 0.5 * diameter * picture.z);
  gl_Position = clipFromRender * vec4(position, 1.0);
  gl_PointSize = diameter;
  dotColour = colour;
}
