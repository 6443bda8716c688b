// Nothing is predicted.
// verdict: partial
// loses: diverging looping
#include "rest.h"
