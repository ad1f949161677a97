out vec3 position;

void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
  vec2 place = floorPlace.zw + corner * floorFade.y;
  position = vec3(place.x, floorColour.w, place.y);
  gl_Position = clipFromRender * vec4(position, 1.0);
}
