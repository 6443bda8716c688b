/* confine.h: keeps a program from reaching other processes. */
#ifndef KIT_CONFINE_H
#define KIT_CONFINE_H

/* From now on, and through exec, the calling process can start threads but no processes, and can
 * neither signal, trace nor limit any other process: such calls fail. Where the kernel cannot do
 * this, nothing happens. */
void confine_process(void);

#endif
