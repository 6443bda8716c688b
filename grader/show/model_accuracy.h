/* model_accuracy.h: how many launches `make model` compared with times measured on an H200, and
 * within how many percent half of them and nine of ten lie. `make model` writes this file. */
#ifndef KIT_MODEL_ACCURACY_H
#define KIT_MODEL_ACCURACY_H

#define MODEL_LAUNCHES "325"
#define MODEL_MEDIAN "5"
#define MODEL_P90 "18"

#endif
