"""The local web page: five doors for data, two calculators; nothing is stored, nothing leaves the machine.

A request is checked (`security`), its form read within bounds (`forms`), the work done in a process that is ended when
it takes too long (`workers`, `jobs`), and the page rendered on the server (`templates`). A door (`doors`) says how one
kind of data is understood and answered.
"""
