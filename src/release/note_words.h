/* SPDX-License-Identifier: Apache-2.0 */
/* Words by which a note's kind is known. A file holds notes as sentences alone; who writes such a
   note writes these words, and tacit_model_note_kind looks for them. */
#ifndef TAC_NOTE_WORDS_H
#define TAC_NOTE_WORDS_H

#define TAC_SAYS_NO_GROUPS "do not read them as groups"
#define TAC_SAYS_ONE_WOULD_DO "would tell as much"
#define TAC_SAYS_BOUNDS "are the bounds right?"

#endif
