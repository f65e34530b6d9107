# SPDX-License-Identifier: GPL-3.0-or-later
# The program starts.

case version
run nssim --version
stdout-match nssim \$VERSION
stderr <<
>>
