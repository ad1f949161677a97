// A square in nine cells: the middle one is what shadows may reach, the others need not ask for them.
// Sharing corners, the cells leave no cracks.
out vec3 position;

void main() {
#ifdef SHADOWED
  int cell = 4;
#else
  int cell = gl_VertexID / 6;
  if (cell >= 4) ++cell;
#endif
  // Two triangles: corners 0 1 2 and 2 1 3.
  const int kCorners[6] = int[](0, 1, 2, 2, 1, 3);
  int corner = kCorners[gl_VertexID % 6];
  ivec2 line = ivec2(cell % 3, cell / 3) + ivec2(corner & 1, corner >> 1);
  vec2 least = floorPlace.zw - floorFade.y;
  vec2 greatest = floorPlace.zw + floorFade.y;
  vec2 place = vec2(line.x == 0 ? least.x : line.x == 1 ? floorShadowed.x
                    : line.x == 2 ? floorShadowed.z : greatest.x,
                    line.y == 0 ? least.y : line.y == 1 ? floorShadowed.y
                    : line.y == 2 ? floorShadowed.w : greatest.y);
  position = vec3(place.x, floorColour.w, place.y);
  gl_Position = clipFromRender * vec4(position, 1.0);
}
