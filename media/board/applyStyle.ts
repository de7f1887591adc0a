import { Directive, directive, PartType, type ElementPart, type PartInfo } from 'lit/directive.js';
import { noChange } from 'lit/html.js';

/** CSS properties by name. */
type Properties = Readonly<Record<string, string>>;

class Applied extends Directive {
  #applied: Properties = {};

  constructor(part: PartInfo) {
    super(part);
    if (part.type !== PartType.ELEMENT) throw new Error('applyStyle belongs into the tag of an element');
  }

  override update({ element }: ElementPart, [properties]: [Properties]): unknown {
    const style = element instanceof HTMLElement ? element.style : undefined;
    for (const [name, value] of Object.entries(properties)) {
      if (this.#applied[name] !== value) style?.setProperty(name, value);
    }
    this.#applied = properties;
    return noChange;
  }

  override render(_properties: Properties): unknown {
    return noChange;
  }
}

/**
 * Sets CSS properties of an element through the DOM: lit's own `styleMap` writes an attribute first, which the content security policy
 * blocks.
 */
export const applyStyle = directive(Applied);
