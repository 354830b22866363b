package pagejs
