// A line as a rectangle in the picture, because the core profile draws none wider than a pixel.
layout(location = 0) in vec3 from;
layout(location = 1) in vec3 to;
layout(location = 2) in vec4 paint;  // w: width in pixels

out vec2 place;        // along and across, in pixels
flat out float reach;  // from end to end, in pixels
flat out vec4 linePaint;

void main() {
  // Along the rays toward the eye by half the width: a line on a surface is seen whole.
  float lift = 0.5 * paint.w * picture.z;
  vec4 a = clipFromRender * vec4(mix(from, eye.xyz, lift), 1.0);
  vec4 b = clipFromRender * vec4(mix(to, eye.xyz, lift), 1.0);
  // What is behind the eye has no place in the picture: the line is cut before it, no farther away
  // than the nearest depth that is told apart.
  float cut = 0.02 * length(eye.xyz);
  vec4 start = a.w < cut ? mix(b, a, (b.w - cut) / (b.w - a.w)) : a;
  vec4 end = b.w < cut ? mix(a, b, (a.w - cut) / (a.w - b.w)) : b;
  vec2 startPixel = 0.5 * picture.xy * start.xy / start.w;
  vec2 endPixel = 0.5 * picture.xy * end.xy / end.w;
  reach = distance(startPixel, endPixel);
  vec2 along = reach > 1e-6 ? (endPixel - startPixel) / reach : vec2(1.0, 0.0);
  // One pixel more on all sides, in which the edge fades.
  float halfWidth = 0.5 * paint.w + 1.0;
  float far = float(gl_VertexID >> 1);
  float side = float(gl_VertexID & 1) * 2.0 - 1.0;
  place = vec2(far > 0.5 ? reach + halfWidth : -halfWidth, side * halfWidth);
  vec2 pixel = startPixel + place.x * along + place.y * vec2(-along.y, along.x);
  vec4 at = far > 0.5 ? end : start;
  // Divided here, so that places are linear in the picture, as depths are. ("noperspective" would do
  // the same, but Mesa's clipping, as of 22.3, loses such triangles where they have a vertical edge.)
  gl_Position = vec4(2.0 * pixel / picture.xy, at.z / at.w, 1.0);
  if (a.w < cut && b.w < cut) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
  linePaint = paint;
}
