#!/usr/bin/env bash
# Builds Spindle and installs it for this user: the program, the completion of its command line,
# and a systemd user unit that is not switched on.
#
#   deploy/install.sh [PREFIX]       PREFIX is ~/.local when it is left out
set -euo pipefail
cd "$(dirname "$0")/.."

prefix=${1:-$HOME/.local}
target=${CARGO_TARGET_DIR:-target}

cargo build --locked --release
install -Dm755 "$target/release/spindle" "$prefix/bin/spindle"
for shell in bash zsh fish; do
  case $shell in
    bash) file=share/bash-completion/completions/spindle ;;
    zsh) file=share/zsh/site-functions/_spindle ;;
    fish) file=share/fish/vendor_completions.d/spindle.fish ;;
  esac
  mkdir -p "$prefix/$(dirname "$file")"
  "$prefix/bin/spindle" completion "$shell" > "$prefix/$file"
done
if command -v systemctl > /dev/null; then
  unit=${XDG_CONFIG_HOME:-$HOME/.config}/systemd/user/spindle.service
  mkdir -p "$(dirname "$unit")"
  sed "s|%h/.local/bin/spindle|$prefix/bin/spindle|" deploy/spindle.service > "$unit"
  install -m644 deploy/spindle.socket "${unit%.service}.socket"
  echo "To keep a daemon running: systemctl --user enable --now spindle"
fi
echo "Installed $prefix/bin/spindle"
"$prefix/bin/spindle" --version
