uniform mat4 renderFromImage;
uniform vec2 size;

out vec2 at;  // 0 to 1, down from the upper left corner

void main() {
  at = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  vec2 place = (at - 0.5) * size;
  gl_Position = clipFromRender * (renderFromImage * vec4(place.x, -place.y, 0.0, 1.0));
}
