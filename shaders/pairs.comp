// The table of all pairs of landmarks: 1/(2q), q = |L_j - L_i|^2. What is not below
// 1e30 marks landmarks in one place, which define no line.
layout(local_size_x = 16, local_size_y = 8) in;
layout(std430, binding = 1) readonly buffer Code { vec4 code[]; };
layout(std430, binding = 6) writeonly buffer Pairs { float pairs[]; };
uniform int g, quads, from; // from: the first row

void main() {
	int j = int(gl_GlobalInvocationID.x), i = from + int(gl_GlobalInvocationID.y);
	if (i >= g || j >= g) return;
	vec4 s = vec4(0);
	for (int q = 0; q < quads; q++) {
		vec4 v = code[j * quads + q] - code[i * quads + q];
		s = fma(v, v, s);
	}
	float q = (s.x + s.y) + (s.z + s.w);
	pairs[i * g + j] = q > 5e-31 ? 0.5 / q : 1e30;
}
