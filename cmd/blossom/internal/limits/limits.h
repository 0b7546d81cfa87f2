// bl_relay copies what a program says, line by line, and returns whether it died of a limit. What it said as
// "blossom: ..." within the last second is kept back: it is untold where the program dies of the limit all the same, such
// as by a thread that it cannot begin while it leaves with an error; its end then has one line, not two.
int bl_relay(int from, int to);
