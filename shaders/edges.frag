#version 410 core

flat in vec4 line;
flat in vec4 colour; // not premultiplied
flat in float width;

out vec4 result;

void main() {
    vec2 d = line.zw - line.xy, e = gl_FragCoord.xy - line.xy;
    float t = clamp(dot(e, d) / max(dot(d, d), 1e-12), 0.0, 1.0);
    float off = distance(e, d * t);
    // A line thinner than a pixel keeps a pixel's width and loses opacity.
    float cover = clamp(max(width, 1.0) * 0.5 + 0.5 - off, 0.0, 1.0) * min(width, 1.0);
    if (cover <= 0.0) discard;
    float a = colour.a * cover;
    result = vec4(colour.rgb * a, a);
}
