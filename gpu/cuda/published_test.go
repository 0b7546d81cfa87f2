package cuda_test

import _ "blossom/gpu/papers/gputsne" // the tests of maps and of parameters look at the published systems too
