in Surface {
  vec3 position;
  vec3 normal;
} surface;
#ifdef WIREFRAME
noperspective in vec3 edgeDistance;
flat in float leastHeight;
#endif

uniform vec4 paint;  // w: roughness
#ifdef GHOST
uniform float opacity;
#endif

out vec4 outColour;

void main() {
  vec3 normal = normalize(surface.normal);
  vec3 colour = paint.rgb;
  if (!gl_FrontFacing) {
    // The inside of an open mesh: plainly another side, in any colour.
    normal = -normal;
    colour = mix(colour, vec3(dot(colour, vec3(0.3, 0.6, 0.1))), 0.5) * 0.45;
  }
  vec3 towardEye = normalize(eye.xyz - surface.position);
  vec3 light = lightFrom(surface.position, normal, towardEye, colour, paint.w);
#ifdef WIREFRAME
  float nearest = min(edgeDistance.x, min(edgeDistance.y, edgeDistance.z));
  float line = 1.0 - smoothstep(0.35, 1.25, nearest);
  // Triangles of few pixels would be all edge: they fade to the surface instead of to black.
  line *= 0.8 * smoothstep(1.0, 6.0, leastHeight);
  light = mix(light, vec3(0.014, 0.020, 0.030), line);
#endif
#ifdef GHOST
  // Denser and darker toward the outline, as glass is: the shape is read by it.
  float grazing = 1.0 - clamp(dot(normal, towardEye), 0.0, 1.0);
  float rim = grazing * grazing * grazing;
  light = mix(light, 0.4 * colour, 0.7 * rim);
  outColour = passOutput(light);
  outColour.a = mix(opacity, 1.0, 0.7 * rim);
#else
  outColour = passOutput(light);
#endif
}
