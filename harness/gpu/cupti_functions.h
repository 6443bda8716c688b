/* cupti_functions.h: what activity.c calls of CUPTI, a FUNCTION(name) each, which it defines. */
FUNCTION(ActivityEnable)
FUNCTION(ActivityDisable)
FUNCTION(ActivityRegisterCallbacks)
FUNCTION(ActivityFlushAll)
FUNCTION(ActivityGetNextRecord)
FUNCTION(ActivityConfigureUnifiedMemoryCounter)
FUNCTION(GetTimestamp)
FUNCTION(GetStreamIdEx)
FUNCTION(GetCallbackName)
FUNCTION(GetVersion)
#undef FUNCTION
