/* pin.h: what a gradebook's grades are given by: each lab's lab.conf and hidden.conf, and the kit's
 * version, as they were when the lab was first graded.
 *
 * They are kept in the gradebook, and everything in it is graded by them, what is handed in later,
 * too, whatever becomes of the kit's own: until --preview has shown which grades would change, and
 * --accept makes the changes (regrade.h). */
#ifndef KIT_CLASS_PIN_H
#define KIT_CLASS_PIN_H

#include "grader/class/base/class.h"

/* From now on class->kit reads the pinned configurations, which are written to STATE/FOLDER:
 * "pinned", or "next" for a preview. */
void pins_open(struct class *class, const char *folder);
/* Pins a lab that is not, to the kit's own; in the caller's transaction. */
void pin_add(struct class *class, const char *lab);
/* Pins all labs of the gradebook again, to the kit's own, which are written to STATE/next; has
 * class->kit read those. In the caller's transaction. */
void pins_renew(struct class *class);
/* The conf_hash of a lab as class->kit, or another kit, has it. The caller's. */
char *pin_hash(const struct kit *kit, const char *lab);
/* May this kit grade the lab? Another version may not. */
bool pin_fits(struct class *class, const char *lab);
/* Notes where the kit's own differ from those that are pinned. */
void pins_report(struct class *class);

#endif
