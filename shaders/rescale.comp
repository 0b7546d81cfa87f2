// Multiplies cached squared distances when the scale of the landmarks changes.
layout(local_size_x = 128) in;
layout(std430, binding = 4) buffer Deltas { float deltas[]; };
uniform int count;
uniform float scale;

void main() {
	uint i = gl_WorkGroupID.y * gl_NumWorkGroups.x * gl_WorkGroupSize.x + gl_GlobalInvocationID.x;
	if (i < uint(count) && deltas[i] > 0.0) deltas[i] *= scale; // marks of points without neighbours stay
}
