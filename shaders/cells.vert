#version 410 core
// A corner of a patch behind the points: patches are fans of triangles around their middles.

layout(location = 0) in vec3 place;
layout(location = 1) in vec4 ink;     // not premultiplied
layout(location = 2) in float inner;  // 1 in the middle, 0 on the outline

uniform mat4 projection;
uniform vec3 origin;

flat out vec4 colour;
out float inside;

void main() {
    gl_Position = projection * vec4(place - origin, 1.0);
    colour = ink;
    inside = inner;
}
