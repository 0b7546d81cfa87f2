#version 410 core

flat in vec2 centre;
flat in vec4 fill, outline, mark, shape;

out vec4 result;

vec4 over(vec4 top, vec4 below) { return top + below * (1.0 - top.a); }

vec4 disc(vec4 colour, float radius, float d) {
    if (radius <= 0.0) return vec4(0.0);
    float a = colour.a * clamp(radius + 0.5 - d, 0.0, 1.0);
    return vec4(colour.rgb * a, a);
}

void main() {
    float d = distance(gl_FragCoord.xy, centre);
    vec4 halo = disc(vec4(outline.rgb, outline.a * 0.25), shape.w, d);
    // The outline is a ring, not a disc below the fill: fills are often translucent.
    float ring = outline.a * clamp(shape.x + shape.y + 0.5 - d, 0.0, 1.0) * (1.0 - clamp(shape.x + 0.5 - d, 0.0, 1.0));
    vec4 c = over(disc(mark, shape.z, d), disc(fill, shape.x, d));
    c = over(c, vec4(outline.rgb * ring, ring));
    result = over(c, halo);
    if (result.a <= 0.0) discard;
}
