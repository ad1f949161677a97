// Parts of a picture, at the far end of the depth range.
layout(location = 0) in vec2 place;

void main() { gl_Position = vec4(place, 1.0, 1.0); }
