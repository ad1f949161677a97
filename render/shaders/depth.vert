layout(location = 0) in vec3 position;

uniform mat4 renderFromMesh;
uniform mat4 mapFromRender;

void main() {
  vec4 at = mapFromRender * (renderFromMesh * vec4(position, 1.0));
  gl_Position = vec4(2.0 * at.xyz - 1.0, 1.0);
}
