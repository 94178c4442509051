/** The shape of a catalogue: the same keys in every language. */
export type Catalogue<Messages> = {
  [Key in keyof Messages]: Messages[Key] extends string ? string : Catalogue<Messages[Key]>
}
