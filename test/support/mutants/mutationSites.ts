/** A position in a source text, and its replacement. */
export interface MutationSite {
  readonly offset: number;
  readonly length: number;
  readonly text: string;
}

const swapped: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
  '+': '-',
  '-': '+',
  '*': '/',
  '+=': '-=',
  '-=': '+=',
  true: 'false',
  false: 'true',
};

/**
 * Finds all positions where one operator, literal, condition or call can be changed: not in comments, texts, imports and type declarations.
 * Expects the project's format, in which binary operators have spaces around them.
 */
export function findMutationSites(source: string): readonly MutationSite[] {
  const code = maskTypes(maskTexts(source));
  const sites: MutationSite[] = [];
  for (const match of code.matchAll(/(?<= )(?:[<>]=?|[!=]==|&&|\|\||[-+]=?|\*)(?= )|(?<![\w.$])(?:true|false)\b/g))
    sites.push({ offset: match.index, length: match[0].length, text: swapped[match[0]] ?? '' });
  // Larger numbers are limits and times, which may be arbitrary; values after ?? are often only for the types.
  for (const match of code.matchAll(/(?<![\w.$]|\?\? )\d(?![\w.])/g))
    sites.push({ offset: match.index, length: 1, text: String(Number(match[0]) + 1) });
  for (const match of code.matchAll(/\bif \(/g)) {
    const offset = match.index + match[0].length;
    const length = lengthInBrackets(code, offset);
    if (length > 0) sites.push({ offset, length, text: `!(${source.slice(offset, offset + length)})` });
  }
  // A statement on its own line that is only a call.
  for (const match of code.matchAll(/(?<=[;{}]\s*\n *|^)(?:await )?(?:this\.|super\.)?#?[a-z][\w.#?]*\(.*\);$/gm))
    sites.push({ offset: match.index, length: match[0].length, text: ';' });
  return sites.toSorted((a, b) => a.offset - b.offset);
}

/** Returns the length of the text from an offset to the closing bracket on the same line; 0 if there is none. */
function lengthInBrackets(code: string, offset: number): number {
  let depth = 1;
  for (let at = offset; at < code.length && code[at] !== '\n'; at++) {
    if (code[at] === '(') depth++;
    if (code[at] === ')') depth--;
    if (depth === 0) return at - offset;
  }
  return 0;
}

/** Blanks imports and type declarations, which the format starts and ends at the margin. */
function maskTypes(code: string): string {
  return code.replaceAll(
    /^(?:import|export \{|(?:export )?(?:declare|type|interface) )[^]*?[;}](?=\n+\S|\s*(?![^]))/gm,
    blank,
  );
}

function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, ' ');
}

/** Blanks comments, texts and patterns; keeps code in `${}`. */
function maskTexts(source: string): string {
  let masked = '';
  /** For each enclosing template: number of open braces in its `${}`. */
  const templates: number[] = [];
  const skip = (pattern: RegExp): void => {
    pattern.lastIndex = masked.length;
    masked += blank(pattern.exec(source)?.[0] ?? source.slice(masked.length));
  };
  const skipTemplate = (): void => {
    skip(/(?:\\[^]|\$(?!\{)|[^\\`$])*(?:`|\$\{)/y);
    if (source.startsWith('${', masked.length - 2)) templates.push(0);
  };
  while (masked.length < source.length) {
    const at = masked.length;
    const char = source[at] ?? '';
    const open = templates.at(-1);
    if (source.startsWith('//', at)) skip(/.*/y);
    else if (source.startsWith('/*', at)) skip(/\/\*[^]*?\*\//y);
    else if (char === "'" || char === '"') skip(/(['"])(?:\\[^]|(?!\1)[^\\])*\1/y);
    else if (char === '/' && /(?:^|[-+*%=<>!&|?:,;([{}~^]|\breturn)\s*$/.test(masked.slice(-40)))
      skip(/\/(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\[])+\/\w*/y);
    else if (char === '`') {
      masked += ' ';
      skipTemplate();
    } else if (char === '}' && open === 0) {
      templates.pop();
      masked += ' ';
      skipTemplate();
    } else {
      if (open !== undefined && (char === '{' || char === '}'))
        templates[templates.length - 1] = open + (char === '{' ? 1 : -1);
      masked += char;
    }
  }
  return masked;
}
