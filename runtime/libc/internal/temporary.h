/* Names for temporary files. */
#ifndef RZ_TEMPORARY_H
#define RZ_TEMPORARY_H

/* Fills six characters with random letters and digits. */
void __rz_random_name(char name[6]);

#define __RZ_NAME_TRIES 100

#endif
