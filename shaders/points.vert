#version 410 core
// A point of the map as a square around its disc. The same rules in Go: render/splat.

layout(location = 0) in vec3 position;  // z is 0 for flat maps
layout(location = 1) in float value;    // a number, or the index of a label
layout(location = 2) in uint state;     // bit 0: hidden, bit 1: selected

uniform mat4 projection;   // of the guarded viewport; applied to position - origin
uniform vec3 origin;
uniform vec4 viewport;     // guarded viewport in pixels of the picture: x, y, width, height
uniform vec4 depth;        // reference distance (0: flat), near, far, share of the ground at far
uniform vec4 ground;       // what far points fade into; its opacity is how much
uniform float size;        // diameter in pixels
uniform float opacity;

#include colours.glsl

flat out vec4 colour;
flat out vec3 disc;        // centre in pixels of the picture, radius
flat out uint point;

const float maxSize = 64.0;
const float minSize = 0.125;

void main() {
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0); // outside: not drawn
    gl_PointSize = 1.0;
    colour = vec4(0.0);
    disc = vec3(0.0);
    point = uint(gl_VertexID);
    if ((state & 1u) != 0u || isNaN(position.x) || isNaN(position.y) || isNaN(position.z)) return;

    vec4 clip = projection * vec4(position - origin, 1.0);
    float diameter = size, fade = 1.0, share = 0.0, z = 0.0;
    float least = depth.x * 1e-3;
    if (depth.x > 0.0) {
        if (!(clip.w > least)) return;
        diameter = size * depth.x / clip.w;
        if (!(diameter >= minSize)) return;
        if (depth.z > depth.y)
            share = depth.w * ground.a * clamp((clip.w - depth.y) / (depth.z - depth.y), 0.0, 1.0);
        // A depth that tells near and far distances apart alike: see depthOf in render/splat.
        uint d = min((floatBitsToUint(clip.w) - floatBitsToUint(least)) >> 4, 0xffffffu);
        z = (float(d) / 8388608.0 - 1.0) * clip.w;
    }
    diameter = min(diameter, maxSize);
    if (diameter < 1.0) fade *= diameter * diameter;

    disc.xy = (clip.xy / clip.w * 0.5 + 0.5) * viewport.zw + viewport.xy;
    disc.z = max(diameter, 1.0) * 0.5;
    gl_Position = vec4(clip.xy, z, clip.w);
    gl_PointSize = 2.0 * disc.z + 2.0; // the smooth edge, and half a pixel to be sure
    colour = texelFetch(palette, ivec2(entry(value, state), 0), 0);
    if (share > 0.0) colour.rgb = mix(colour.rgb, ground.rgb, share);
    colour.a *= opacity * fade;
    colour.rgb *= colour.a;
}
