// One triangle that covers the picture, at the far end of the depth range.
out vec2 place;

void main() {
  place = vec2((gl_VertexID & 1) * 4 - 1, (gl_VertexID >> 1) * 4 - 1);
  gl_Position = vec4(place, 1.0, 1.0);
}
