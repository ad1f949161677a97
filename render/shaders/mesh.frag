in Surface {
  vec3 position;
  vec3 normal;
} surface;
#ifdef WIREFRAME
noperspective in vec3 edgeDistance;
flat in float leastHeight;
#endif

uniform vec4 paint;  // w: roughness

out vec4 outColour;

// Trowbridge-Reitz highlight with Smith's masking in the form of Hammon, 2017.
float highlight(float nl, float nv, float nh, float roughness) {
  float a = roughness * roughness;
  float spread = nh * nh * (a * a - 1.0) + 1.0;
  float facets = a * a / (3.14159265 * spread * spread);
  return facets * 0.5 / max(mix(2.0 * nl * nv, nl + nv, a), 1e-4);
}

// Reflectance at grazing angles (Schlick), 0.04 head on: lacquer, plastic, glazed clay.
float fresnel(float cosine) {
  float grazing = 1.0 - cosine;
  float square = grazing * grazing;
  return 0.04 + 0.96 * square * square * grazing;
}

void main() {
  vec3 normal = normalize(surface.normal);
  vec3 colour = paint.rgb;
  if (!gl_FrontFacing) {
    // The inside of an open mesh: plainly another side, in any colour.
    normal = -normal;
    colour = mix(colour, vec3(dot(colour, vec3(0.3, 0.6, 0.1))), 0.5) * 0.45;
  }
  vec3 towardEye = normalize(eye.xyz - surface.position);
  float nv = clamp(dot(normal, towardEye), 0.0, 1.0);
  float nl = dot(normal, towardLamp.xyz);

  vec3 around = skyAt(surface.position, normal) * skyColour.rgb;
  vec3 light = colour * (around + bounceAt(surface.position, normal));
  if (nl > 0.0) {
    vec3 lamp = nl * lampVisible(surface.position, normal) * lampColour.rgb;
    vec3 halfway = normalize(towardLamp.xyz + towardEye);
    float nh = clamp(dot(normal, halfway), 0.0, 1.0);
    float shine = 3.14159265 * highlight(nl, nv, nh, paint.w) * fresnel(dot(halfway, towardEye));
    light += lamp * (colour + shine);
  }
  // What is seen at a grazing angle mirrors the sky: a faint rim that lifts the outline.
  vec3 mirrored = reflect(-towardEye, normal);
  float gloss = (1.0 - 0.75 * paint.w) * (fresnel(nv) - 0.02);
  light += gloss * mix(bounceColour.rgb, skyColour.rgb, smoothstep(-0.3, 0.6, mirrored.y));

#ifdef WIREFRAME
  float nearest = min(edgeDistance.x, min(edgeDistance.y, edgeDistance.z));
  float line = 1.0 - smoothstep(0.35, 1.25, nearest);
  // Triangles of few pixels would be all edge: they fade to the surface instead of to black.
  line *= 0.8 * smoothstep(1.0, 6.0, leastHeight);
  light = mix(light, vec3(0.014, 0.020, 0.030), line);
#endif
  outColour = passOutput(light);
}
