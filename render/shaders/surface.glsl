// What a surface of a colour sends to the eye.

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

#ifdef PLAIN
// Chalk: no highlight and no rim. A third of the work, for processors that draw.
vec3 lightFrom(vec3 position, vec3 normal, vec3 towardEye, vec3 colour, float roughness) {
  float nl = dot(normal, towardLamp.xyz);
  vec3 light = skyAt(position, normal) * skyColour.rgb + bounceAt(position, normal);
  if (nl > 0.0) light += nl * lampVisible(position, normal) * lampColour.rgb;
  return colour * light;
}
#else
vec3 lightFrom(vec3 position, vec3 normal, vec3 towardEye, vec3 colour, float roughness) {
  float nv = clamp(dot(normal, towardEye), 0.0, 1.0);
  float nl = dot(normal, towardLamp.xyz);

  vec3 around = skyAt(position, normal) * skyColour.rgb;
  vec3 light = colour * (around + bounceAt(position, normal));
  if (nl > 0.0) {
    vec3 lamp = nl * lampVisible(position, normal) * lampColour.rgb;
    vec3 halfway = normalize(towardLamp.xyz + towardEye);
    float nh = clamp(dot(normal, halfway), 0.0, 1.0);
    float shine = 3.14159265 * highlight(nl, nv, nh, roughness) * fresnel(dot(halfway, towardEye));
    light += lamp * (colour + shine);
  }
  // What is seen at a grazing angle mirrors the sky: a faint rim that lifts the outline.
  vec3 mirrored = reflect(-towardEye, normal);
  float gloss = (1.0 - 0.75 * roughness) * (fresnel(nv) - 0.02);
  return light + gloss * mix(bounceColour.rgb, skyColour.rgb, smoothstep(-0.3, 0.6, mirrored.y));
}
#endif
