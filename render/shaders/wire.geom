// Gives each fragment its distance in pixels from the three edges.
// Source: Baerentzen et al., "Single-pass wireframe rendering", SIGGRAPH sketches, 2006.
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;

in Surface {
  vec3 position;
  vec3 normal;
} corner[];

out Surface {
  vec3 position;
  vec3 normal;
} surface;
noperspective out vec3 edgeDistance;
flat out float leastHeight;

void main() {
  vec2 at[3];
  bool behind = false;
  for (int i = 0; i < 3; ++i) {
    behind = behind || gl_in[i].gl_Position.w <= 0.0;
    at[i] = 0.5 * picture.xy * gl_in[i].gl_Position.xy / gl_in[i].gl_Position.w;
  }
  vec2 a = at[2] - at[1];
  vec2 b = at[0] - at[2];
  vec2 c = at[1] - at[0];
  float doubleArea = abs(a.x * b.y - a.y * b.x);
  vec3 height = doubleArea / max(vec3(length(a), length(b), length(c)), vec3(1e-6));
  // A triangle that reaches behind the eye has no picture of its corners; it gets no edges.
  if (behind) height = vec3(1e6);
  for (int i = 0; i < 3; ++i) {
    surface.position = corner[i].position;
    surface.normal = corner[i].normal;
    edgeDistance = behind ? vec3(1e6) : vec3(0.0);
    edgeDistance[i] = height[i];
    leastHeight = min(height.x, min(height.y, height.z));
    gl_Position = gl_in[i].gl_Position;
    EmitVertex();
  }
  EndPrimitive();
}
