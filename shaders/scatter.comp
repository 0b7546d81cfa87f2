// Writes listed positions, which the reference computed, into the buffer that is drawn.
layout(local_size_x = 64) in;
layout(std430, binding = 2) writeonly buffer Out { uint y[]; };
layout(std430, binding = 5) readonly buffer Listed { uint listed[]; }; // point in y, coordinates
uniform int count, dims;

void main() {
	int n = int(gl_GlobalInvocationID.x);
	if (n >= count) return;
	int at = n * (1 + dims), to = int(listed[at]) * dims;
	for (int q = 0; q < dims; q++) y[to + q] = listed[at + 1 + q];
}
