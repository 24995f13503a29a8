const uri = "urn:uuid:57dba862-b064-4e18-b6a8-b5c172da391c";

/** Returns {inputSchema, outputSchema} by the id of the skill, {} where the card has none. */
export function skillSchemas(card) {
  const extension = card.capabilities?.extensions?.find((e) => e.uri === uri);
  return extension?.params ?? {};
}

/** Throws if no skill of the card has the id, or data does not fit its input schema. */
export function checkInput(card, id, data, ajv) {
  if (!card.skills.some((s) => s.id === id)) throw new Error(`no skill ${id}`);
  const { inputSchema } = skillSchemas(card)[id] ?? {};
  if (inputSchema && !ajv.validate(inputSchema, data)) throw new Error(ajv.errorsText());
}
