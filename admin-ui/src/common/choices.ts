/** The choices of a select input; react-admin translates their names. */
export const choices = (kind: string, ids: readonly string[]) =>
  ids.map((id) => ({ id, name: `values.${kind}.${id}` }))
