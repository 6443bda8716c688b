// verdict: fail
// hazard: build
// Compiler messages that would steer a terminal.
#warning "[2J]0;owned"
#error "[2J[31m ""5i "
void matmul[1m();
