uniform sampler2D onePass;
out vec4 outColour;

void main() { outColour = texelFetch(onePass, ivec2(gl_FragCoord.xy), 0); }
