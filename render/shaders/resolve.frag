uniform sampler2D sum;
uniform float share;  // one over the number of passes
out vec4 outColour;

void main() {
  vec3 mean = share * texelFetch(sum, ivec2(gl_FragCoord.xy), 0).rgb;
  outColour = vec4(displayFromLinear(mean), 1.0);
}
