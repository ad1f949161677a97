layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;

uniform mat4 renderFromMesh;

out Surface {
  vec3 position;
  vec3 normal;
} surface;

void main() {
  surface.position = (renderFromMesh * vec4(position, 1.0)).xyz;
  surface.normal = mat3(renderFromMesh) * normal;
  gl_Position = clipFromRender * vec4(surface.position, 1.0);
}
