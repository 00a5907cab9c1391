//! Output cut to what the model's budget allows, on character borders.

/// Bytes that count as one token in estimates.
const BYTES_PER_TOKEN: usize = 4;

/// An estimate of the tokens of a text of `bytes` bytes.
pub(crate) fn tokens_of(bytes: u64) -> u64 {
    bytes.div_ceil(BYTES_PER_TOKEN as u64)
}

/// A command's output, as far as it was kept.
pub(crate) struct Kept<'a> {
    /// The text that was kept.
    pub(crate) text: &'a str,
    /// Bytes of the whole output.
    pub(crate) total_bytes: u64,
    /// Bytes that were not kept, from the middle.
    pub(crate) omitted_bytes: u64,
}

/// Cuts a command's output to a budget in tokens, half from its beginning and half from its end.
/// What was cut is said; output that fits is given as it is.
pub(crate) fn fit(output: &Kept<'_>, budget_tokens: u64) -> String {
    let total = tokens_of(output.total_bytes);
    let budget = usize::try_from(budget_tokens).unwrap_or(usize::MAX);
    let budget_bytes = budget.saturating_mul(BYTES_PER_TOKEN);
    if output.omitted_bytes == 0 && output.text.len() <= budget_bytes {
        return output.text.to_owned();
    }
    let what_is_missing = if output.omitted_bytes == 0 {
        format!("Total output lines: {}", output.text.lines().count())
    } else {
        format!("... {} bytes omitted ...", output.omitted_bytes)
    };
    let half = budget_bytes / 2;
    let head = head(output.text, half);
    let tail = tail(&output.text[head.len()..], half);
    let kept = tokens_of((head.len() + tail.len()) as u64);
    let shown = tokens_of(output.text.len() as u64);
    format!(
        "Warning: truncated output (original token count: {total})\n{what_is_missing}\n\n\
         {head}…{} tokens truncated…{tail}",
        shown.saturating_sub(kept)
    )
}

/// Cuts a text to a number of bytes, half from its beginning and half from its end.
pub(crate) fn middle_out(text: &str, max_bytes: usize) -> String {
    if text.len() <= max_bytes {
        return text.to_owned();
    }
    let mark = |bytes: usize| format!("\n… {bytes} bytes left out …\n");
    let room = max_bytes.saturating_sub(mark(text.len()).len()) / 2;
    let head = head(text, room);
    let tail = tail(&text[head.len()..], room);
    format!("{head}{}{tail}", mark(text.len() - head.len() - tail.len()))
}

fn head(text: &str, max_bytes: usize) -> &str {
    &text[..text.floor_char_boundary(max_bytes)]
}

fn tail(text: &str, max_bytes: usize) -> &str {
    &text[text.ceil_char_boundary(text.len().saturating_sub(max_bytes))..]
}

#[cfg(test)]
mod tests;
