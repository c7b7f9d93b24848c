/**
 * What nobody reads, for a class of a regular expression: soft hyphens, joiners, bidi controls and the like, and characters
 * that only lengthen words.
 */
export const unread = '\\p{Default_Ignorable_Code_Point}\\u0640\\u07fa\\u1806'
